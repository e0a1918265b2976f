// What is missing for a pull request, and what a person does about it. Pure.

import { quote } from '../../model/quote.ts';
import type { MissingPiece } from '../../wire/landing.ts';
import { createArgs, type ProposalText, type Proposed } from '../../worktree/proposing/github.ts';

export interface Wanting {
  readonly piece: MissingPiece;
  /** A sentence each. */
  readonly reason: string;
  readonly hint: string;
}

export const noRemote = (repoPath: string): Wanting => ({
  piece: 'remote',
  reason: `${repoPath} has no remote to push to.`,
  hint: 'Add one with git remote add origin <address>.',
});

export const noGithub = (remote: string, address: string): Wanting => ({
  piece: 'github_remote',
  reason: `The remote ${remote} (${address}) is no repository on GitHub.`,
  hint: 'Pass remote with one that is, or push the branch and propose it there by hand.',
});

export const noGh: Wanting = {
  piece: 'gh',
  reason: 'The GitHub CLI, gh, is not on the PATH of this server.',
  hint: 'Install it from https://cli.github.com and log in with gh auth login.',
};

export const noLogin = (host: string, words = ''): Wanting =>
  host === 'github.com' || host.endsWith('.ghe.com')
    ? {
        piece: 'gh_login',
        reason: `gh is not logged in to ${host}${words === '' ? '' : ` (gh said: ${words})`}.`,
        hint: 'Have the user run gh auth login, or give this server a GH_TOKEN.',
      }
    : {
        piece: 'gh_login',
        reason: `gh is not logged in to ${host}, which may be no GitHub at all${words === '' ? '' : ` (gh said: ${words})`}.`,
        hint: `If it is a GitHub, have the user run gh auth login --hostname ${host}; else propose the branch there by hand.`,
      };

export const noRepository = (slug: string, words: string): Wanting => ({
  piece: 'github_remote',
  reason: `gh does not find ${slug} (gh said: ${words}).`,
  hint: 'It may be gone, misspelt, or not to be seen by this login.',
});

export const noBase = (remote: string, base: string): Wanting => ({
  piece: 'base',
  reason: `${remote} has no branch ${base} to merge into.`,
  hint: 'Have the user push it, or pass base with a branch that is there.',
});

/** The way by hand, from where this one ended. */
export const byHand = (request: Proposed, text: ProposalText): string =>
  ['gh', ...createArgs(request, text)].map(quote).join(' ');
