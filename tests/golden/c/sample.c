#include <stdio.h>
#include "net/client.h"

#define MAX_NODES 16
#define SMALLER(a, b) ((a) < (b) ? pick(a) : (b))
#define CHECK(node) \
  do { /* a comment inside of a macro */ \
    report(node); \
  } while (0)
#define EXPORT __attribute__((visibility("default")))

/* A node of the list. It knows the next. */
typedef struct node {
  int value, weight;
  struct node *next;
  int (*compare)(const struct node *other);
} node_t, *node_p;

typedef int (*visit_fn)(node_t *node, void *data);
typedef enum { LOW, HIGH = MAX_NODES } level_t;
enum colour { RED, GREEN };
union any { int number; char *text; };
struct forward;

static node_t *head = NULL, nodes[MAX_NODES];
extern int outside;
int counter = 0;

int prototype(int value), other(void);
static const char *name_of(const node_t *node);

/** Adds a node. Then more. */
EXPORT int add_node(node_p node, visit_fn visit) {
  node_t local = {.value = 1}, *cursor;
#ifdef HAVE_LOCK
  if (lock(node)) {
#else
  if (node) {
#endif
    for (int i = 0; i < MAX_NODES; i++) {
      cursor = node->next;
      visit(cursor, (void *)&local); /* add_node() here */
    }
  }
  printf("add_node() %zu", sizeof(struct node));
  goto done;
done:
  return SMALLER(counter, outside);
}

static const char *name_of(const node_t *node) { return node->compare(node) ? "a" : "b"; }

#if defined(HAVE_OLD) && HAVE_OLD > 1
int old_style(first, second) int first; char *second; { return first; }
#endif

int (*chooser(int which))(void) { return other; }

#define renamed prefixed_renamed
int renamed(void) {
  CHECK(head,
        counter);
  return counter; /* it is not called. */
  free(head);
}

static int first_count = 0, *second_count, both(int), (*hook)(int);

typedef void(callback)(int);
typedef long ssize_t;
struct handlers {
  void *(*copy)(const void *from);
};
extern "C" {
static const int widths[] = {1, 2};
extern int outside;
}
lower_macro another_macro
int torn(int value) { return value; }
