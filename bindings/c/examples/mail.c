/* A mail client: the parts of a message, and the links that may become clickable.
 *
 * cc mail.c $(pkg-config --cflags --libs linkglot) && ./a.out message.eml
 */
#include <linkglot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a file; exits if that fails. The caller frees the bytes. */
static unsigned char *contents(const char *name, size_t *len)
{
    FILE *file = fopen(name, "rb");
    unsigned char *bytes = NULL;
    size_t room = 0;
    *len = 0;
    if (!file) {
        perror(name);
        exit(2);
    }
    do {
        room = *len + 65536;
        bytes = realloc(bytes, room);
        if (!bytes)
            exit(2);
        *len += fread(bytes + *len, 1, room - *len, file);
    } while (*len == room);
    if (ferror(file)) {
        perror(name);
        exit(2);
    }
    fclose(file);
    return bytes;
}

/* Shows a link of a part: the text that the client underlines, and what a click opens. */
static void show(const lg_part *part, const lg_link *link)
{
    printf("  %.*s\n", (int)(link->end - link->start), part->text + link->start);
    if (!link->target)
        printf("    not clickable: no target\n");
    else if (!lg_is_safe_to_click(link->target, link->target_len))
        printf("    not clickable: %s:\n", link->scheme ? link->scheme : "?");
    else
        printf("    opens %s\n", link->target);
    if (link->iri && strcmp(link->iri, link->text) != 0)
        printf("    shown as %s\n", link->iri);
    if (*link->notes)
        printf("    warnings: %s\n", link->notes);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: mail MESSAGE\n", stderr);
        return 2;
    }
    size_t len;
    unsigned char *bytes = contents(argv[1], &len);
    lg_options options = {.size = sizeof options, .format = "mail", .flags = LG_HEADERS};
    lg_document *message = lg_document_open(bytes, len, &options);
    free(bytes);

    lg_error error = lg_document_error(message);
    if (error.kind)
        fprintf(stderr, "%s: %s\n", argv[1], error.message);
    for (size_t i = 0; i < lg_document_parts_len(message); i++) {
        lg_part part = lg_document_part_at(message, i);
        size_t links = lg_links_len(part.links);
        printf("part %s, %s in %s: %zu links\n", part.number, part.format, part.charset, links);
        for (size_t j = 0; j < links; j++) {
            lg_link link = lg_links_at(part.links, j);
            show(&part, &link);
        }
    }
    for (size_t i = 0; i < lg_document_unread_len(message); i++) {
        lg_unread unread = lg_document_unread_at(message, i);
        printf("part %s was not read: %s\n", unread.part, unread.reason);
    }
    lg_document_free(message);
    return error.kind ? 1 : 0;
}
