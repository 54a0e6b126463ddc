/* Time for the links of a text, as `speed.rs` measures it: speed ROUNDS FILE FORMAT */
#include <linkglot.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The number of notes: codes with commas between them. */
static size_t notes(const char *codes)
{
    size_t count = *codes != 0;
    for (; *codes; codes++)
        count += *codes == ',';
    return count;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("expected ROUNDS FILE FORMAT\n", stderr);
        return 2;
    }
    FILE *file = fopen(argv[2], "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(argv[2]);
        return 2;
    }
    size_t len = (size_t)ftell(file);
    char *text = malloc(len + 1);
    rewind(file);
    if (!text || fread(text, 1, len, file) != len)
        return 2;
    fclose(file);

    lg_options options = {.size = sizeof options, .format = argv[3]};
    double best = 1e9;
    size_t sum = 0, count = 0;
    for (int round = atoi(argv[1]); round > 0; round--) {
        double begun = now();
        lg_links *links = lg_find_utf8(text, len, &options);
        if (lg_links_error(links).kind)
            return 2;
        sum = 0;
        count = lg_links_len(links);
        for (size_t i = 0; i < count; i++) {
            lg_link link = lg_links_at(links, i);
            sum += link.end - link.start + link.text_len + link.raw_len + link.uri_len + link.iri_len +
                   link.target_len + notes(link.notes);
        }
        lg_links_free(links);
        double taken = now() - begun;
        if (taken < best)
            best = taken;
    }
    free(text);
    printf("%.1f µs, %zu links, sum %zu\n", best * 1e6, count, sum);
    return 0;
}
