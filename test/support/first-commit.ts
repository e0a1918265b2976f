// A repository with one commit, byte for byte as `git init`, `git add` and `git commit` leave it, without any process.
import { type BigIntStats, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { bigEndian, sha1, statFields } from './index-stat.ts';

export interface FirstCommit {
  /** A folder that holds nothing yet. */
  readonly path: string;
  /** One file at its top. */
  readonly file: { readonly name: string; readonly text: string };
  readonly subject: string;
  /** Name and mail, as git writes them. */
  readonly by: string;
}

const config = ['repositoryformatversion = 0', 'filemode = true', 'bare = false', 'logallrefupdates = true'];

/** On the branch main, with a clean checkout and an index that is up to date. */
export function writeFirstCommit({ path, file, subject, by }: FirstCommit): void {
  const gitDir = join(path, '.git');
  const write = (name: string, bytes: string | Buffer) => {
    mkdirSync(dirname(join(gitDir, name)), { recursive: true });
    writeFileSync(join(gitDir, name), bytes);
  };
  const store = (kind: string, body: Buffer): Buffer => {
    const whole = Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body]);
    const sha = sha1(whole);
    const name = sha.toString('hex');
    write(`objects/${name.slice(0, 2)}/${name.slice(2)}`, deflateSync(whole));
    return sha;
  };
  for (const folder of ['hooks', 'objects/info', 'objects/pack', 'refs/tags'])
    mkdirSync(join(gitDir, folder), { recursive: true });
  writeFileSync(join(path, file.name), file.text);
  const blob = store('blob', Buffer.from(file.text));
  const tree = store('tree', Buffer.concat([Buffer.from(`100644 ${file.name}\0`), blob]));
  const who = `${by} ${Math.floor(Date.now() / 1_000)} +0000`;
  const words = `tree ${tree.toString('hex')}\nauthor ${who}\ncommitter ${who}\n\n${subject}\n`;
  const commit = store('commit', Buffer.from(words)).toString('hex');
  const moved = `${'0'.repeat(40)} ${commit} ${who}\tcommit (initial): ${subject}\n`;
  write('HEAD', 'ref: refs/heads/main\n');
  write('config', `[core]\n${config.map((line) => `\t${line}\n`).join('')}`);
  write('info/exclude', '');
  write('refs/heads/main', `${commit}\n`);
  write('logs/HEAD', moved);
  write('logs/refs/heads/main', moved);
  write('COMMIT_EDITMSG', `${subject}\n`);
  write('index', indexOf({ name: file.name, blob, tree, stat: lstatSync(join(path, file.name), { bigint: true }) }));
}

/** Version 2: one entry, and the tree that is known of it. */
function indexOf(of: { name: string; blob: Buffer; tree: Buffer; stat: BigIntStats }): Buffer {
  const { stat } = of;
  const facts = Buffer.concat([statFields(stat), bigEndian(0o100644, stat.uid, stat.gid, stat.size)]);
  const name = Buffer.from(of.name);
  const flags = Buffer.from([0, name.length]);
  const length = facts.length + of.blob.length + flags.length + name.length;
  const entry = Buffer.concat([facts, of.blob, flags, name, Buffer.alloc(8 - (length % 8))]);
  const known = Buffer.concat([Buffer.from('\x001 0\n', 'latin1'), of.tree]);
  const head = [Buffer.from('DIRC'), bigEndian(2, 1)];
  const body = Buffer.concat([...head, entry, Buffer.from('TREE'), bigEndian(known.length), known]);
  return Buffer.concat([body, sha1(body)]);
}
