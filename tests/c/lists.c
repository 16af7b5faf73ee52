/* Prints every list of the library, for a comparison with the core and with the header. */
#include "check.h"

/* A value of an enum that has a word. */
static void print(const char *list, int value, const char *word) {
    if (word != NULL) printf("%s %d %s\n", list, value, word);
}

int main(void) {
    delayq_status kind;
    printf("version %s %s %d\n", delayq_version(), DELAYQ_VERSION, DELAYQ_VERSION_NUMBER);
    printf("parts %d.%d.%d\n", DELAYQ_VERSION_MAJOR, DELAYQ_VERSION_MINOR, DELAYQ_VERSION_PATCH);
    for (size_t i = 0; (kind = delayq_error_kind_at(i)) != DELAYQ_OK; i++) {
        printf("kind %d %s\n", (int)kind, delayq_error_kind_slug(kind));
    }
    for (size_t i = 0; delayq_verb_at(i) != NULL; i++) printf("verb %s\n", delayq_verb_at(i));
    for (size_t i = 0; delayq_counter_at(i) != NULL; i++) printf("counter %s\n", delayq_counter_at(i));
    for (int i = -1; i < 100; i++) {
        print("mode", i, delayq_mode_str((delayq_mode)i));
        print("state", i, delayq_state_str((delayq_state)i));
        print("enqueue", i, delayq_enqueue_outcome_str((delayq_enqueue_outcome)i));
        print("ack", i, delayq_ack_outcome_str((delayq_ack_outcome)i));
        print("retry", i, delayq_retry_outcome_str((delayq_retry_outcome)i));
        print("release", i, delayq_release_outcome_str((delayq_release_outcome)i));
        print("extend", i, delayq_extend_outcome_str((delayq_extend_outcome)i));
        print("event", i, delayq_event_kind_str((delayq_event_kind)i));
        print("cancel", i, delayq_cancel_outcome_str((delayq_cancel_outcome)i));
    }
    return 0;
}
