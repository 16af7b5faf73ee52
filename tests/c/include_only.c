#include "delayq.h"

int main(void) {
    return 0;
}
