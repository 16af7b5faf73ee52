/* The answers of a runner: JSON on standard output. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text in quotes, or null. */
void json_text(const char *text);

/* `"name": `, after a comma unless it is the first. */
void json_name(const char *name, int first);

/* `"name": "text"` or `"name": null`, after a comma unless it is the first. */
void json_field(const char *name, const char *text, int first);

/* `, "name": number`; -1 is null. */
void json_number(const char *name, int64_t number);

/* `, "name": time`, also of one before the epoch, which somebody has set by hand. */
void json_time(const char *name, int64_t time);

/* `"name": number`, after a comma unless it is the first. */
void json_count(const char *name, uint64_t count, int first);

/* `"name": true` or `"name": false`, after a comma unless it is the first. */
void json_bool(const char *name, bool value, int first);

/* Bytes as a text of hexadecimal digits. */
void json_hex(const uint8_t *bytes, size_t len);

#endif
