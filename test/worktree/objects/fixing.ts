// Repositories with loose objects, and what a server does before a start from them.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inspectFolder } from '../../../src/worktree/git/inspect.ts';
import { fixObjects, type ObjectFixing } from '../../../src/worktree/objects/fixed-objects.ts';
import { makeSandbox, type Sandbox } from '../../support/sandbox.ts';

interface Told {
  readonly told: readonly string[];
  /** How often the work was done and not only looked up. */
  readonly acts: number;
}

export interface FixingStand {
  readonly box: Sandbox;
  /** Writes files and commits them. */
  commit(at: string, files: Readonly<Record<string, string>>): void;
  /** A repository with files in folders. */
  filled(): string;
  fixing(at: string, more?: { readonly env?: Readonly<Record<string, string>> }): Promise<ObjectFixing>;
  /** What comes before a start from main. */
  fix(at: string): Promise<Told>;
  packs(at: string): readonly string[];
  /** Ids of what is in packs. */
  packed(at: string): readonly string[];
  /** Ids of what main reaches. */
  reached(at: string): readonly string[];
}

export function openFixing(): FixingStand {
  const box = makeSandbox();
  let made = 0;
  const folder = (at: string) => join(at, '.git/objects/pack');
  const commit: FixingStand['commit'] = (at, files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(at, path)), { recursive: true });
      writeFileSync(join(at, path), text);
    }
    box.git(at, 'add', '-A');
    box.git(at, 'commit', '-q', '-m', `Write ${Object.keys(files).join(' ')}`);
  };
  const fixing: FixingStand['fixing'] = async (at, { env = box.env } = {}) => {
    const repo = await inspectFolder({ path: at, env });
    if (repo === undefined) throw new Error(`${at} is no repository`);
    const path = join(box.dir('memory'), `${basename(at)}.json`);
    return { repo, path, alone: (act) => act(), tell: () => undefined };
  };
  return {
    ...{ box, commit, fixing },
    filled() {
      made += 1;
      const path = box.repo(`app-${made}`);
      commit(path, { 'plain.txt': 'plain\n', '.husky/pre-push': '#!/bin/sh\ntrue\n', 'src/deep/a.ts': 'a\n' });
      return path;
    },
    async fix(at) {
      const told: string[] = [];
      let acts = 0;
      const alone = async (act: () => Promise<void>) => {
        acts += 1;
        await act();
      };
      const tell = (words: string) => void told.push(words);
      await fixObjects({ ...(await fixing(at)), alone, tell }, [box.git(at, 'rev-parse', 'main')]);
      return { told, acts };
    },
    packs: (at) => readdirSync(folder(at)).filter((name) => name.endsWith('.pack')),
    packed(at) {
      const indexes = readdirSync(folder(at)).filter((name) => name.endsWith('.idx'));
      const shown = indexes.flatMap((name) => box.git(folder(at), 'verify-pack', '-v', name).split('\n'));
      return shown.flatMap((line) => /^([0-9a-f]{40,64}) (?:blob|tree|commit)/.exec(line)?.[1] ?? []);
    },
    reached: (at) => box.git(at, 'rev-list', '--objects', '--no-object-names', 'main').split('\n'),
  };
}
