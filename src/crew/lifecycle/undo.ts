// Takes back what was done, newest first.
export interface Undo {
  /** Notes how to take back the step just done. */
  push(step: string, act: () => Promise<unknown>): void;
  /** Runs every act even when one fails; returns what could not be taken back. */
  run(): Promise<readonly string[]>;
}

export function undoStack(): Undo {
  const acts: { readonly step: string; readonly act: () => Promise<unknown> }[] = [];
  return {
    push: (step, act) => acts.push({ step, act }),
    async run() {
      const left: string[] = [];
      for (const { step, act } of acts.splice(0).reverse()) {
        await act().catch((error: unknown) =>
          left.push(`${step}: ${error instanceof Error ? error.message : String(error)}`),
        );
      }
      return left;
    },
  };
}
