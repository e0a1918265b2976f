// The scripted agent: behaves like Claude Code where crewmux looks, and plays the directives of its prompts.
import { dirname, join } from 'node:path';
import { projectSlug, traces } from '../../agents/claude/traces.ts';
import { systemClock } from '../../system/clock.ts';
import { pressInBox } from './box.ts';
import { take } from './commands.ts';
import { type Conversation, chooseConversation } from './conversation.ts';
import { trustDialog } from './dialog.ts';
import { type Flags, readFlags } from './flags.ts';
import { hookRunner } from './hooks.ts';
import { listenToKeys } from './input.ts';
import { isTrusted, placeOf, trust } from './place.ts';
import { submit } from './queue.ts';
import { openScreen } from './screen.ts';
import { readSettings, type Settings } from './settings.ts';
import { ask, emptyStage, pressInDialog, type Stage, show } from './stage.ts';
import { openStateFile } from './state-file.ts';
import { imitatedVersion, openTranscript } from './transcript.ts';
import { runTurns } from './turns.ts';
import { definedOf, paceOf, type World } from './world.ts';

/** Resolves with the exit code once the agent has ended; what it started in the foreground has ended too. */
export async function runScriptedAgent(world: World): Promise<number> {
  const say = (text: string, code: number) => {
    world.stdout.write(`${text}\n`);
    return code;
  };
  const flags = readFlags(world.argv);
  if ('complaint' in flags) return say(flags.complaint, 1);
  if (flags.asksVersion) return say(`${imitatedVersion} (Claude Code, scripted stand-in)`, 0);
  if (!world.stdin.isTTY) return say('Error: the scripted agent needs a terminal.', 1);
  const env = definedOf(world.env);
  const settings = readSettings({ given: flags.settings, configDir: configDirOf(env), cwd: world.cwd });
  if ('complaint' in settings) return say(settings.complaint, 1);
  const projects = join(configDirOf(env), 'projects');
  const pathOf = (agentSessionId: string) => join(projects, projectSlug(world.cwd), `${agentSessionId}.jsonl`);
  const conversation = chooseConversation(flags, { projects, pathOf });
  if ('complaint' in conversation) return say(conversation.complaint, 1);
  return live(world, { flags, env, settings, conversation, pathOf });
}

/** Where Claude Code keeps what is its own. */
const configDirOf = (env: Readonly<Record<string, string>>): string =>
  dirname(traces({ cwd: '/', agentSessionId: '', env }).stateDir ?? '/');

interface Start {
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string>>;
  readonly settings: Settings;
  readonly conversation: Conversation;
  pathOf(agentSessionId: string): string;
}

async function live(world: World, start: Start): Promise<number> {
  const life = new AbortController();
  let resolve: (code: number) => void = () => undefined;
  const ended = new Promise<number>((done) => {
    resolve = done;
  });
  const end: Stage['end'] = (code, how) => {
    if (life.signal.aborted) return;
    void leave(stage, life, how).finally(() => resolve(code));
  };
  const stage = makeStage(world, start, { life: life.signal, end });
  // A terminal that is gone is told of by its signal.
  world.stdout.on('error', () => undefined);
  world.onSignal('SIGTERM', () => end(143, { reason: 'other' }));
  world.onSignal('SIGHUP', () => end(129, { reason: 'other' }));
  world.onSignal('SIGINT', () => end(0, { reason: 'prompt_input_exit' }));
  world.stdout.on('resize', () => show(stage));
  const unlisten = listenToKeys(world.stdin, stage.clock, (key) => {
    if (life.signal.aborted) return;
    if (stage.dialog !== undefined) pressInDialog(stage, stage.dialog, key);
    else if (stage.state !== undefined) pressInBox(stage, key);
  });
  void begin(stage, world, start.conversation.source);
  const code = await ended;
  unlisten();
  return code;
}

function makeStage(world: World, start: Start, { life, end }: Pick<Stage, 'life' | 'end'>): Stage {
  const { flags, env, settings, conversation } = start;
  const { cwd } = world;
  const clock = systemClock;
  const pace = paceOf(world.env);
  const transcriptAt = ({ agentSessionId, path }: Pick<Conversation, 'agentSessionId' | 'path'>) =>
    openTranscript({
      agentSessionId,
      path,
      cwd,
      clock,
      gitBranch: placeOf(cwd).branch,
      name: flags.name,
      flushMs: pace.flushMs,
    });
  const common = () => ({
    session_id: stage.transcript.agentSessionId,
    transcript_path: stage.transcript.path,
    cwd,
    ...(stage.turn === undefined ? {} : { prompt_id: stage.turn.promptId }),
    permission_mode: stage.permissionMode,
  });
  const stage: Stage = emptyStage({
    ...{ flags, cwd, env, clock, pace, life, end },
    configDir: configDirOf(env),
    screen: openScreen(world.stdout),
    hooks: hookRunner({ settings, env: { ...env, CLAUDE_PROJECT_DIR: cwd }, cwd, clock, common }),
    rules: settings.rules,
    transcript: transcriptAt(conversation),
    begin: (prompts) => runTurns(stage, prompts),
    openTranscript: (agentSessionId) => transcriptAt({ agentSessionId, path: start.pathOf(agentSessionId) }),
  });
  return stage;
}

/** From the first dialog to the first prompt. */
async function begin(stage: Stage, world: World, source: Conversation['source']): Promise<void> {
  const { env, cwd, clock, flags } = stage;
  if (!(await mayWorkHere(stage))) return stage.end(1, {});
  if (stage.life.aborted) return;
  stage.state = openStateFile({
    dir: traces({ cwd, agentSessionId: '', env }).stateDir ?? stage.configDir,
    pid: world.pid,
    cwd,
    name: flags.name,
    paneId: env.TMUX_PANE,
    version: imitatedVersion,
    clock,
  });
  show(stage, [
    ` Claude Code v${imitatedVersion}, scripted stand-in`,
    ' No model answers here: the directives in a prompt are played.',
    ` ${cwd}`,
    '',
  ]);
  await stage.hooks.run('SessionStart', { source, model: flags.model });
  if (flags.prompt === undefined || flags.prompt.trim() === '' || stage.life.aborted) return;
  if (flags.prompt.startsWith('/')) take(stage, flags.prompt.trim());
  else submit(stage, flags.prompt);
}

/** The trust dialog is shown only where `CREWMUX_SCRIPTED_DIALOGS` asks for it, and to a folder not trusted yet. */
async function mayWorkHere(stage: Stage): Promise<boolean> {
  const { env, cwd, configDir: dir } = stage;
  const asked = (env.CREWMUX_SCRIPTED_DIALOGS ?? '').split(',').includes('trust');
  const { root } = placeOf(cwd);
  if (!asked || env.CLAUDE_CODE_SANDBOXED === '1' || isTrusted(dir, [cwd, root])) return true;
  if ((await ask(stage, trustDialog(cwd), stage.life)) !== 1) return false;
  trust(dir, root);
  return true;
}

/** Says goodbye; after a crash nobody does. */
async function leave(stage: Stage, life: AbortController, how: { crash?: true; reason?: string }): Promise<void> {
  const { transcript, hooks, screen } = stage;
  life.abort();
  if (how.crash) return screen.close();
  if (stage.state !== undefined) await hooks.run('SessionEnd', { reason: how.reason ?? 'other' });
  transcript.flush();
  if (transcript.isBegun()) transcript.note({ type: 'cost-state', totalCostUSD: 0 });
  stage.state?.remove();
  screen.close();
}
