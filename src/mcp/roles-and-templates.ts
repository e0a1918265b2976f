// Roles and templates of plans that a client reads by their address.
import type { Disposer } from '../model/clock.ts';

export const writtenKinds = ['roles', 'templates'] as const;
export type WrittenKind = (typeof writtenKinds)[number];

export interface RoleOrTemplate {
  readonly name: string;
  readonly description: string;
  /** What stands at its address. */
  readonly whole: object;
}

/** Those of the project that count now. */
export interface RolesAndTemplates {
  read(): Promise<Readonly<Record<WrittenKind, readonly RoleOrTemplate[]>>>;
  /** Calls back when others count, or they count with another content, from the first reading on. */
  onChange(listen: () => void): Disposer;
}
