// Dialogs of a real Codex that no hook tells of, answered by their labels on its screen.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Fields } from '../../support/mcp.ts';
import { eventually } from '../../support/sandbox.ts';
import { answer, needSuch, patient } from '../asking.ts';
import type { ClaudeHome } from '../claude-home.ts';
import { makeCodexHome } from '../codex-home.ts';
import { cast, crew } from '../company.ts';
import { openRealCrew, type RealCrew, type Worker } from '../crew.ts';
import { endHook } from '../end-hook.ts';
import { pressUntil } from '../person.ts';

/** A newer version is out, and nothing keeps that away. */
async function makeBareHome(): Promise<ClaudeHome> {
  const home = await makeCodexHome();
  const seen = { latest_version: '99.0.0', last_checked_at: new Date().toISOString() };
  writeFileSync(join(home.env.CODEX_HOME ?? '', 'version.json'), JSON.stringify(seen));
  const bare = join(home.sandbox.root, 'bare-codex');
  const script = `#!/bin/bash
words=()
while [ $# -gt 0 ]; do
  case "$1 $2" in
    "-c check_for_update"*) shift 2 ;;
    *) words+=("$1"); shift ;;
  esac
done
exec ${home.env.CREWMUX_CODEX_COMMAND} "\${words[@]}"
`;
  writeFileSync(bare, script, { mode: 0o755 });
  return { ...home, env: { ...home.env, CREWMUX_CODEX_COMMAND: bare } };
}

let bare: RealCrew;
beforeAll(async () => {
  bare = await openRealCrew(makeBareHome);
});
afterAll(() => bare?.dispose());

const answered = z.looseObject({ success: z.boolean(), option: z.string().optional(), hint: z.string().optional() });

const choose = (on: RealCrew, worker: Worker, option: string) => {
  const args: Fields = { session_id: worker.session_id, decision: 'choose', option };
  return patient(() => on.call('answer_worker', answered, args));
};

describe.concurrent('a Codex worker', () => {
  test('is never updated from afar; it is skipped, and the folder trusted, by the calls that attention gives', async () => {
    // With a prompt on its command line it offers no update.
    const worker = await bare.one({ agent_type: 'codex', project_path: bare.home.sandbox.repo('untrusted') });
    const update = await needSuch(bare, worker, (need) => need.waiting_for === 'update');
    expect(update.answer_with[0]).toMatch(/^answer_worker \{.*"option":"Skip"\}$/);
    await expect(choose(bare, worker, 'Update now')).rejects.toThrow(/install another version/);
    expect(bare.screen(worker)).toMatch(/› 1\. Update now/);
    const skipped = await answer(bare, update);
    expect(skipped).toMatchObject({ success: true, option: 'Skip' });
    const trust = await needSuch(bare, worker, (need) => need.waiting_for === 'trust');
    expect(await answer(bare, trust)).toMatchObject({
      success: true,
      option: 'Trust and continue',
    });
    await bare.until(worker.session_id, 'idle');
    expect(await bare.message(worker, 'SAY hello', { wait_mode: 'all' })).toMatchObject({ verdict: 'submitted' });
  });

  test('whose hook has died is allowed on its screen, wherever a person left the cursor', async () => {
    const worker = await cast.enter({ agent_type: 'codex', prompt: 'ESCALATE touch by-label\nSAY made' });
    await needSuch(crew, worker, (need) => need.request_id !== undefined);
    endHook(crew, worker);
    await eventually('the dialog is drawn', () => /› 1\. Yes, proceed/.test(crew.screen(worker)));
    for (const seen of [/› 2\. Yes/, /› 3\. No/])
      await pressUntil(crew, worker, { key: 'Down', seen: (screen) => seen.test(screen) });
    const need = await needSuch(crew, worker, (one) => one.request_id === undefined && one.options !== undefined);
    expect(need).toMatchObject({ title: `${worker.name} wants to run: touch by-label` });
    expect(need.answer_with[0]).toMatch(/"option":"Yes, proceed"/);
    expect(await answer(crew, need)).toMatchObject({
      success: true,
      option: 'Yes, proceed',
    });
    await crew.idle(worker);
    expect(existsSync(join(worker.project_path, 'by-label'))).toBe(true);
    expect(crew.falseIdles(worker)).toEqual([]);
    cast.rests(worker);
  });

  test('whose hook has died is denied on its screen, and its turn ends', async () => {
    const worker = await cast.enter({ agent_type: 'codex', prompt: 'ESCALATE touch never\nSAY made' });
    await needSuch(crew, worker, (need) => need.request_id !== undefined);
    endHook(crew, worker);
    await needSuch(crew, worker, (need) => need.request_id === undefined && need.options !== undefined);
    const args = { session_id: worker.session_id, decision: 'deny', message: 'Not here.' };
    const denied = await patient(() => crew.call('answer_worker', answered, args));
    crew.ended(worker);
    expect(denied).toMatchObject({ success: true, hint: expect.stringContaining('message_workers') });
    expect(await crew.until(worker.session_id, 'idle')).toMatchObject({ turn: { ended_by: 'interrupted' } });
    expect(existsSync(join(worker.project_path, 'never'))).toBe(false);
  });

  test('with a menu that nobody knows is waiting at a dialog, and takes the choice the manager names', async () => {
    // In a window of its own: in a small pane Codex shows only some of the choices.
    const { repo, spareName } = crew.home;
    const worker = await crew.one({ agent_type: 'codex', project_path: repo(spareName()) });
    crew.keys(worker, '-l', '/permissions');
    await eventually('the command is typed', () => crew.screen(worker).includes('/permissions'));
    crew.keys(worker, 'Enter');
    const need = await needSuch(crew, worker, (one) => one.options !== undefined);
    expect(need).toMatchObject({ waiting_for: 'dialog', options: expect.arrayContaining(['Full Access']) });
    // Codex does not always offer the same; full access would be asked about again.
    const other = need.options?.find((label) => label !== 'Full Access' && !label.includes('(current)')) ?? '';
    expect(await choose(crew, worker, other)).toMatchObject({ success: true, option: other });
    await crew.until(worker.session_id, 'idle');
    expect(crew.screen(worker)).toContain(other);
  });
});
