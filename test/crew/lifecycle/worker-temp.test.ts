import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { forgetTemp, makeTemp } from '../../../src/crew/lifecycle/worker-temp.ts';
import { makeSandbox } from '../../support/sandbox.ts';

const box = makeSandbox();
afterAll(() => box.dispose());
const env = { TMPDIR: join(box.root, 'not-there-yet') };

function open(path: string): void {
  mkdirSync(path);
  chmodSync(path, 0o777);
}

describe('the folder for temporary files of a worker', () => {
  it('is made for it alone, found again by its next launch, and gone with it', async () => {
    const path = await makeTemp({ id: 'aaaa' }, env);
    expect(path).toBe(join(env.TMPDIR, 'crewmux-aaaa'));
    expect(lstatSync(path).mode & 0o777).toBe(0o700);
    writeFileSync(join(path, 'kept'), 'x');
    expect(await makeTemp({ id: 'aaaa' }, env)).toBe(path);
    expect(existsSync(join(path, 'kept'))).toBe(true);
    mkdirSync(join(path, 'caches/go-mod'), { recursive: true });
    chmodSync(join(path, 'caches/go-mod'), 0o500);
    await forgetTemp({ id: 'aaaa' }, env);
    expect(existsSync(path)).toBe(false);
  });

  it.each<[string, string, (path: string) => void]>([
    ['a link', 'is no folder', (path) => symlinkSync(box.dir('elsewhere'), path)],
    ['a file', 'is no folder', (path) => writeFileSync(path, '')],
    ['a folder that others may enter', 'mode 777', open],
  ])('is not taken over where somebody has put %s', async (kind, words, plant) => {
    const id = kind.replaceAll(' ', '-');
    plant(join(box.dir('not-there-yet'), `crewmux-${id}`));
    await expect(makeTemp({ id }, env)).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining(words),
    });
  });

  it('is not taken over from another user', async () => {
    // Only the superuser can give a folder away.
    if (userInfo().uid !== 0) return;
    const path = join(box.dir('not-there-yet'), 'crewmux-theirs');
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, 12_345, 12_345);
    await expect(makeTemp({ id: 'theirs' }, env)).rejects.toThrow('belongs to the user 12345');
  });
});
