// The scripted agent: behaves like Claude Code where crewmux looks, and plays the directives of its prompts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import { defined, definedOf } from '../../model/defined.ts';
import { fieldsIn, fieldsOf, wordOf } from '../../model/json.ts';
import { pressInBox, take } from './box.ts';
import { emptyDraft, listenToKeys } from './input.ts';
import { type Flags, hookRunner, readFlags, readSettings, type ScriptedSettings } from './launch.ts';
import { openScreen } from './screen.ts';
import { pressInDialog, type Stage, show } from './stage.ts';
import {
  chooseConversation,
  configDirOf,
  imitatedVersion,
  openStateFile,
  openTranscript,
  type ScriptedConversation,
  transcriptPath,
} from './traces.ts';
import { runTurns } from './turns.ts';

export interface ScriptedWorld {
  /** The words after the program's own. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly cwd: string;
  readonly pid: number;
  onSignal(name: 'SIGTERM' | 'SIGHUP' | 'SIGINT', act: () => void): void;
}

interface Start {
  readonly flags: Flags;
  readonly env: Readonly<Record<string, string>>;
  readonly configDir: string;
  readonly settings: ScriptedSettings;
  readonly conversation: ScriptedConversation;
}

/** Resolves with the exit code once the agent and its foreground processes have ended. */
export async function runScriptedAgent(world: ScriptedWorld): Promise<number> {
  const say = (text: string, code: number) => {
    world.stdout.write(`${text}\n`);
    return code;
  };
  const flags = readFlags(world.argv);
  if ('complaint' in flags) return say(flags.complaint, 1);
  if (flags.asksVersion) return say(`${imitatedVersion} (Claude Code, scripted stand-in)`, 0);
  if (!world.stdin.isTTY) return say('Error: the scripted agent needs a terminal.', 1);
  const { cwd } = world;
  const env = definedOf(world.env);
  const configDir = configDirOf(env);
  const settings = readSettings({ given: flags.settings, configDir, cwd });
  if ('complaint' in settings) return say(settings.complaint, 1);
  const conversation = chooseConversation(flags, { configDir, cwd });
  if ('complaint' in conversation) return say(conversation.complaint, 1);
  return live(world, { flags, env, configDir, settings, conversation });
}

async function live(world: ScriptedWorld, start: Start): Promise<number> {
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
  // A signal reports that the terminal is gone.
  world.stdout.on('error', () => undefined);
  world.onSignal('SIGTERM', () => end(143, 'other'));
  world.onSignal('SIGHUP', () => end(129, 'other'));
  world.onSignal('SIGINT', () => end(0, 'prompt_input_exit'));
  world.stdout.on('resize', () => show(stage));
  const unlisten = listenToKeys(world.stdin, (key) => {
    if (life.signal.aborted) return;
    if (stage.dialog !== undefined) pressInDialog(stage, stage.dialog, key);
    else pressInBox(stage, key);
  });
  void begin(stage, start.conversation.source);
  const code = await ended;
  unlisten();
  return code;
}

const realPace = { flushMs: 100, beforeTakingMs: 4, betweenTurnsMs: 20 };
const noPace = { flushMs: 0, beforeTakingMs: 0, betweenTurnsMs: 0 };

function makeStage(
  { cwd, pid, stdout }: ScriptedWorld,
  start: Start,
  { life, end }: Pick<Stage, 'life' | 'end'>,
): Stage {
  const { flags, env, configDir, settings, conversation } = start;
  const pace = env.CREWMUX_SCRIPTED_PACE === '0' ? noPace : realPace;
  const openIn = (agentSessionId: string, path: string) =>
    openTranscript({ agentSessionId, path, cwd, flushMs: pace.flushMs });
  const common = () => ({
    session_id: stage.transcript.agentSessionId,
    transcript_path: stage.transcript.path,
    cwd,
    ...defined({ prompt_id: stage.turn?.promptId }),
    permission_mode: stage.permissionMode,
  });
  const stage: Stage = {
    ...{ flags, cwd, env, configDir, pace, life, end },
    screen: openScreen(stdout),
    hooks: hookRunner({ settings, env: { ...env, CLAUDE_PROJECT_DIR: cwd }, cwd, common }),
    rules: settings.rules,
    state: openStateFile({ configDir, pid, cwd, name: flags.name, paneId: env.TMUX_PANE }),
    transcript: openIn(conversation.agentSessionId, conversation.path),
    begin: (prompts) => runTurns(stage, prompts),
    openTranscript: (agentSessionId) => openIn(agentSessionId, transcriptPath(configDir, cwd, agentSessionId)),
    permissionMode: flags.permissionMode,
    takesTurns: false,
    queue: [],
    tasks: new Map(),
    lastDialog: Promise.resolve(),
    draft: emptyDraft,
    live: '',
  };
  return stage;
}

async function begin(stage: Stage, source: ScriptedConversation['source']): Promise<void> {
  const { cwd, flags } = stage;
  show(stage, [
    ` Claude Code v${imitatedVersion}, scripted stand-in`,
    ' No model answers here: the directives in a prompt are played.',
    ` ${cwd}`,
    '',
  ]);
  connectServers(flags);
  await stage.hooks.run('SessionStart', { source, model: flags.model });
  const prompt = flags.prompt?.trim() ?? '';
  if (prompt !== '' && !stage.life.aborted) take(stage, prompt);
}

/** Starts no server; those of crewmux's own count as connected at once. */
function connectServers({ mcpConfig }: Flags): void {
  if (mcpConfig === undefined || !existsSync(mcpConfig)) return;
  for (const server of Object.values(fieldsOf(fieldsIn(readFileSync(mcpConfig, 'utf8')).mcpServers))) {
    const token = wordOf(fieldsOf(fieldsOf(server).env).CREWMUX_WORKER_TOKEN_FILE);
    if (token !== undefined && existsSync(token)) writeFileSync(`${token}.connected`, '', { mode: 0o600 });
  }
}

/** Ends in order; a crash leaves the state file and runs no hook. */
async function leave(stage: Stage, life: AbortController, how: Parameters<Stage['end']>[1]): Promise<void> {
  life.abort();
  if (how !== 'crash') {
    await stage.hooks.run('SessionEnd', { reason: how });
    stage.transcript.flush();
    stage.state.remove();
  }
  stage.screen.close();
}
