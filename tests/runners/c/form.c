#include "form.h"

#include <stdlib.h>
#include <string.h>

static int hex(char c) {
    const char *digits = "0123456789abcdef0123456789ABCDEF";
    const char *found = c == '\0' ? NULL : strchr(digits, c);
    return found == NULL ? -1 : (int)((found - digits) % 16);
}

/* Decodes in place, up to the end or one of `stops`; returns where it stopped in the text. */
static char *decode(char *text, const char *stops, size_t *len) {
    char *from = text, *to = text;
    while (*from != '\0' && strchr(stops, *from) == NULL) {
        if (*from == '%' && hex(from[1]) >= 0 && hex(from[2]) >= 0) {
            *to++ = (char)(hex(from[1]) * 16 + hex(from[2]));
            from += 3;
        } else {
            *to++ = *from == '+' ? ' ' : *from;
            from++;
        }
    }
    *len = (size_t)(to - text);
    return from;
}

form form_parse(char *text) {
    size_t most = 1;
    for (const char *c = text; *c != '\0'; c++) most += *c == '&';
    form request = {calloc(most, sizeof(pair)), 0};
    if (request.pairs == NULL) abort();
    while (*text != '\0') {
        pair *next = &request.pairs[request.len++];
        size_t key_len;
        next->key = text;
        text = decode(text, "=&", &key_len);
        bool has_value = *text == '=';
        text += has_value;
        next->value = text;
        if (has_value) text = decode(text, "&", &next->len);
        bool more = *text == '&';
        text += more;
        next->key[key_len] = '\0';
        if (has_value) next->value[next->len] = '\0';
        else next->value = next->key + key_len;
    }
    return request;
}

void form_free(form *request) {
    free(request->pairs);
}

const pair *form_next(const form *request, const char *key, size_t *place) {
    while (*place < request->len) {
        const pair *next = &request->pairs[(*place)++];
        if (strcmp(next->key, key) == 0) return next;
    }
    return NULL;
}

const char *form_text(const form *request, const char *key) {
    size_t place = 0;
    const pair *found = form_next(request, key, &place);
    return found == NULL ? NULL : found->value;
}

bool form_number(const form *request, const char *key, int64_t *number) {
    const char *text = form_text(request, key);
    if (text == NULL) return false;
    *number = strtoll(text, NULL, 10);
    return true;
}
