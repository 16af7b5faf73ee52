#include "json.h"

#include <inttypes.h>
#include <stdio.h>

void json_text(const char *text) {
    if (text == NULL) {
        fputs("null", stdout);
        return;
    }
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') printf("\\%c", c);
        else if (c < 0x20) printf("\\u%04x", c);
        else putchar(c);
    }
    putchar('"');
}

void json_name(const char *name, int first) {
    if (!first) fputs(", ", stdout);
    json_text(name);
    fputs(": ", stdout);
}

void json_field(const char *name, const char *text, int first) {
    json_name(name, first);
    json_text(text);
}

void json_number(const char *name, int64_t number) {
    json_name(name, 0);
    if (number == -1) fputs("null", stdout);
    else printf("%" PRId64, number);
}

void json_time(const char *name, int64_t time) {
    json_name(name, 0);
    printf("%" PRId64, time);
}

void json_count(const char *name, uint64_t count, int first) {
    json_name(name, first);
    printf("%" PRIu64, count);
}

void json_bool(const char *name, bool value, int first) {
    json_name(name, first);
    fputs(value ? "true" : "false", stdout);
}

void json_hex(const uint8_t *bytes, size_t len) {
    putchar('"');
    for (size_t i = 0; i < len; i++) printf("%02x", bytes[i]);
    putchar('"');
}
