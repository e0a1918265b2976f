// What this server has seen of accounts: a sign of a limit outlives the worker that met it.
import { isInTurn, type LimitSign, newerSign, type SentOn } from '../../turn/account.ts';

export interface AccountSeen {
  readonly sign: LimitSign | undefined;
  readonly workedAt: number | undefined;
}

const minuteMs = 60_000;

export class AccountMemory {
  readonly #seen = new Map<string, AccountSeen>();
  readonly #sent = new Map<string, SentOn>();
  readonly #figures = new Set<string>();

  /** What is known with this; the newest sign and the newest work count. */
  note(account: string, { sign, workedAt }: Partial<AccountSeen>): AccountSeen {
    const known = this.#seen.get(account);
    const seen = {
      sign: newerSign(known?.sign, sign),
      workedAt: Math.max(known?.workedAt ?? 0, workedAt ?? 0) || undefined,
    };
    this.#seen.set(account, seen);
    return seen;
  }

  /** The agent's figures count from when they were seen first: its later ones say the same of the same limit. */
  noteFigure(account: string, { at, resetsAt }: { readonly at: number; readonly resetsAt: number }): void {
    const figure = `${account} ${Math.round(resetsAt / minuteMs)}`;
    if (this.#figures.has(figure)) return;
    this.#figures.add(figure);
    this.note(account, { sign: { at, resetsAt } });
  }

  sentOn(account: string): SentOn | undefined {
    return this.#sent.get(account);
  }

  /** A start with a prompt sends nothing that waited, and is one of those that go on one after the other. */
  noteStart(account: string, at: number): void {
    if (this.#isInTurn(account, at)) this.#sent.set(account, { at, isProved: true });
  }

  #isInTurn(account: string, now: number): boolean {
    return isInTurn({ ...this.note(account, {}), sent: this.#sent.get(account) }, now);
  }

  /** Keeps the next worker of the account waiting while this one is sent on; one to which nothing was sent does not. */
  async sendOn<T extends { readonly verdict: string }>(
    account: string,
    { at, send }: { readonly at: number; readonly send: () => Promise<T> },
  ): Promise<T> {
    if (!this.#isInTurn(account, at)) return send();
    const before = this.#sent.get(account);
    const restore = () => (before === undefined ? this.#sent.delete(account) : this.#sent.set(account, before));
    this.#sent.set(account, { at, isProved: false });
    const outcome = await send().catch((error: unknown) => {
      restore();
      throw error;
    });
    if (outcome.verdict === 'held' || outcome.verdict === 'failed') restore();
    else this.#sent.set(account, { at, isProved: outcome.verdict !== 'unconfirmed' });
    return outcome;
  }
}
