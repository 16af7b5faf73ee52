#include "json.h"

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

void json_hex(const uint8_t *bytes, size_t len) {
    putchar('"');
    for (size_t i = 0; i < len; i++) printf("%02x", bytes[i]);
    putchar('"');
}
