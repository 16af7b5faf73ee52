/* Prints every list of the library, for a comparison with the core and with the header. */
#include "check.h"

int main(void) {
    delayq_status kind;
    printf("version %s %s %d\n", delayq_version(), DELAYQ_VERSION, DELAYQ_VERSION_NUMBER);
    printf("parts %d.%d.%d\n", DELAYQ_VERSION_MAJOR, DELAYQ_VERSION_MINOR, DELAYQ_VERSION_PATCH);
    for (size_t i = 0; (kind = delayq_error_kind_at(i)) != DELAYQ_OK; i++) {
        printf("kind %d %s\n", (int)kind, delayq_error_kind_slug(kind));
    }
    for (size_t i = 0; delayq_verb_at(i) != NULL; i++) printf("verb %s\n", delayq_verb_at(i));
    for (int i = -1; i < 100; i++) {
        if (delayq_mode_str((delayq_mode)i) != NULL) {
            printf("mode %d %s\n", i, delayq_mode_str((delayq_mode)i));
        }
        if (delayq_enqueue_outcome_str((delayq_enqueue_outcome)i) != NULL) {
            printf("enqueue %d %s\n", i, delayq_enqueue_outcome_str((delayq_enqueue_outcome)i));
        }
        if (delayq_ack_outcome_str((delayq_ack_outcome)i) != NULL) {
            printf("ack %d %s\n", i, delayq_ack_outcome_str((delayq_ack_outcome)i));
        }
        if (delayq_cancel_outcome_str((delayq_cancel_outcome)i) != NULL) {
            printf("cancel %d %s\n", i, delayq_cancel_outcome_str((delayq_cancel_outcome)i));
        }
    }
    return 0;
}
