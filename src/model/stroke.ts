// What can be done at a keyboard.

/** One act: `paste` is bracketed, `type` is literal keys, `press` a tmux key name such as `Enter`. */
export type Stroke =
  | { readonly paste: string }
  | { readonly type: string }
  | { readonly press: string }
  | { readonly pauseMs: number };
