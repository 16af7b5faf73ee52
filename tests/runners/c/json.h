/* The answers of a runner: JSON on standard output. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <stdint.h>

/* A text in quotes, or null. */
void json_text(const char *text);

/* `"name": `, after a comma unless it is the first. */
void json_name(const char *name, int first);

/* Bytes as a text of hexadecimal digits. */
void json_hex(const uint8_t *bytes, size_t len);

#endif
