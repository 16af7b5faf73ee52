/* What the test programs share. */
#ifndef CHECK_H
#define CHECK_H

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "delayq.h"

/* Ends the program with the place and the condition that does not hold. */
#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);  \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

/* A call that must succeed; uses the variable `err`. */
#define OK(call)                                                                     \
    do {                                                                             \
        if ((call) != DELAYQ_OK) {                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, delayq_error_text(err)); \
            exit(1);                                                                 \
        }                                                                            \
        CHECK(err == NULL);                                                          \
    } while (0)

/* A call that must fail with this status and say something like this; uses the variable `err`. */
#define FAILS(call, wanted, part)                                                    \
    do {                                                                             \
        CHECK((call) == (wanted));                                                   \
        CHECK(delayq_error_kind(err) == (wanted));                                   \
        CHECK(strcmp(delayq_error_slug(err), delayq_error_kind_slug(wanted)) == 0);  \
        if (strstr(delayq_error_message(err), part) == NULL) {                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, delayq_error_text(err)); \
            exit(1);                                                                 \
        }                                                                            \
        delayq_error_free(err);                                                      \
    } while (0)

/* The number of this process's threads. */
static inline int threads_left(void) {
    int threads = 0;
    DIR *tasks = opendir("/proc/self/task");
    CHECK(tasks != NULL);
    for (const struct dirent *task; (task = readdir(tasks)) != NULL;) threads += task->d_name[0] != '.';
    closedir(tasks);
    return threads;
}

/* When everything is freed the library's threads end, a listening one not at once; until then valgrind would take what
 * they hold for lost. */
static inline void await_the_end_of_threads(void) {
    int patience = 6000;
    while (threads_left() > 1) {
        CHECK(patience-- > 0);
        poll(NULL, 0, 10);
    }
}

#endif
