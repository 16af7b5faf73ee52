/* The requests of a runner: form text, see tests/README.md. */
#ifndef FORM_H
#define FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key with its value: `len` bytes and a NUL after them. */
typedef struct pair {
    char *key;
    char *value;
    size_t len;
} pair;

typedef struct form {
    pair *pairs;
    size_t len;
} form;

/* Decodes `text`, which is changed; the form lives as long as the text. */
form form_parse(char *text);
void form_free(form *request);

/* The first pair of this key at or after `*place`, which moves behind it; NULL if there is none. */
const pair *form_next(const form *request, const char *key, size_t *place);

/* The text of a key, or NULL. */
const char *form_text(const form *request, const char *key);

/* Whether the key is there; then `*number` is its value. */
bool form_number(const form *request, const char *key, int64_t *number);

#endif
