import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { root } from './source.ts';

const tracked = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true);

const linesWith = (pattern: RegExp, files: readonly string[]) =>
  files.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim().slice(0, 120)}`] : [])),
  );

it('no file names a folder of the machine it was written on', () => {
  expect(linesWith(/(^|[^\w.])\/(root|work\/(main|shared)|Users\/[a-z]+)\//, tracked())).toEqual([]);
});

it('no file names a registry, a token or a proxy', () => {
  const files = tracked().filter((path) => path !== 'test/laws/tree.test.ts');
  expect(linesWith(/_authToken|\/\/registry\.|artifactory|\bnexus\b|_proxy=http/i, files)).toEqual([]);
});

it('the lockfile leaves it to the user where packages come from', () => {
  expect(linesWith(/"resolved": "http/, ['package-lock.json'])).toEqual([]);
});

const lock = z.looseObject({
  packages: z.record(z.string(), z.looseObject({ optionalDependencies: z.record(z.string(), z.string()).default({}) })),
});

it('the lockfile has the packages of every platform, without which npm ci refuses it', () => {
  const { packages } = lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const missing = Object.entries(packages).flatMap(([at, { optionalDependencies }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${at}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});

it('every dependency is pinned and bundled', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(dependencies).toBeUndefined();
  expect(Object.entries(devDependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
});
