import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endMs, graceMs } from '../../src/mcp/lifecycle.ts';
import { isAlive, openRaw, type RawServer } from '../support/mcp.ts';
import { eventually, makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { buildStub, type Stub, stubServer } from '../support/stub.ts';

let workshop: Sandbox;
let program: string;
let sandbox: Sandbox;
let stub: Stub;
let server: RawServer;

const start = (env: Readonly<Record<string, string>> = {}) => {
  stub = stubServer({ sandbox, program, env });
  server = openRaw(stub);
  return server;
};
const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const opened = () => eventually('the crew is open', () => stub.diary().includes('opened'));

beforeAll(() => {
  workshop = makeSandbox();
  program = buildStub(workshop.root);
});
afterAll(() => workshop.dispose());
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(async () => {
  server.kill();
  await eventually('the server is gone', () => !isAlive(server.child.pid ?? 0));
  sandbox.dispose();
});

describe('the handshake', () => {
  it('answers an unknown request before initialize with method not found, and goes on', async () => {
    start().send({ jsonrpc: '2.0', id: 0, method: 'server/discover', params: {} });
    expect((await server.reply(0)).error?.code).toBe(-32601);
    expect((await server.shakeHands()).result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'crewmux' },
      capabilities: { tools: {} },
      instructions: expect.stringContaining('spawn_workers'),
    });
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks %s with who asks for it',
    async (version) => {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'old', version: '0' } };
      start().send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      expect((await server.reply(1)).result?.protocolVersion).toBe(version);
    },
  );

  it('opens the crew when the client is ready, so that recovery does not wait for a call', async () => {
    await start().shakeHands();
    await opened();
  });

  it('opens the crew again for the next call after it could not', async () => {
    await start({ STUB_OPENINGS_FAIL: '2' }).shakeHands();
    await eventually('the first failure is logged', () => server.stderr().includes('could not be opened'));
    server.send(call(1, 'crew_status'));
    expect((await server.reply(1)).result).toMatchObject({ isError: true });
    server.send(call(2, 'crew_status'));
    expect((await server.reply(2)).result).toMatchObject({ structuredContent: { attach: null } });
  });
});

describe('an end before the handshake', () => {
  const told = (why: string) => `ended by ${why} before its client had said who it is`;

  it('is told with its reason, and one after it is not', async () => {
    start().endInput();
    await eventually('it is told', () => server.stderr().includes(told('the end of its input')));
    await start().shakeHands();
    server.child.kill('SIGTERM');
    await eventually('the server is gone', () => !isAlive(server.child.pid ?? 0));
    expect(server.stderr()).not.toContain('before its client');
  });

  it('by a signal names the signal', async () => {
    start().send({ jsonrpc: '2.0', id: 0, method: 'server/discover', params: {} });
    await server.reply(0);
    server.child.kill('SIGTERM');
    await eventually('it is told', () => server.stderr().includes(told('SIGTERM')));
  });
});

describe('progress', () => {
  it('is told in growing numbers to who gave a token, and to nobody else', async () => {
    await start().shakeHands();
    const wait = call(1, 'wait_idle_workers', { session_ids: ['ada'], timeout: 0 });
    server.send(wait);
    await server.reply(1);
    expect(server.messages().filter(({ method }) => method === 'notifications/progress')).toEqual([]);
    server.send({ ...wait, id: 2, params: { ...wait.params, _meta: { progressToken: 'p7' } } });
    await server.reply(2);
    expect(server.messages().flatMap(({ method, params }) => (method?.endsWith('progress') ? params : []))).toEqual([
      { progressToken: 'p7', progress: 1, message: 'tick 0' },
      { progressToken: 'p7', progress: 2, message: 'tick 1' },
      { progressToken: 'p7', progress: 3, message: 'tick 2' },
    ]);
  });
});

describe('stdout', () => {
  it('carries JSON-RPC only, while the words of console go to stderr', async () => {
    await start().shakeHands();
    await eventually('the stray word', () => server.stderr().includes('a stray word for the console'));
    server.send(call(1, 'crew_status'));
    await server.reply(1);
    expect(server.messages().length).toBeGreaterThan(1);
  });

  it('may vanish: the server lives on until stdin ends, and ends cleanly then', async () => {
    await start().shakeHands();
    await opened();
    server.child.stdout?.destroy();
    for (let id = 1; id <= 20; id++) server.send(call(id, 'annotate_worker', { session_id: 'ada', annotation: 'x' }));
    server.send(call(21, 'list_workers'));
    await eventually('the last call was made', () => stub.diary().some((line) => line.startsWith('list')));
    expect(server.child.exitCode).toBeNull();
    server.endInput();
    expect(await server.ended()).toMatchObject({ code: 0 });
    expect(stub.diary()).toContain('disposed');
    expect(server.stderr()).not.toContain('uncaught');
  });
});

describe('stdin', () => {
  it('may hold broken JSON and odd messages: each is answered, and the server goes on', async () => {
    await start().shakeHands();
    server.send('{"jsonrpc": "2.0", oops\n');
    expect((await server.reply(null)).error?.code).toBe(-32700);
    server.send('[]\n\n   \n"text"\n');
    await eventually(
      'both odd ones are refused',
      () => server.messages().filter((m) => m.error?.code === -32600).length === 2,
    );
    for (const params of ['text', [1], { _meta: 5 }]) {
      server.send(
        `${JSON.stringify({ jsonrpc: '2.0', id: `odd ${JSON.stringify(params)}`, method: 'tools/call', params })}\n`,
      );
      expect((await server.reply(`odd ${JSON.stringify(params)}`)).error?.code).toBe(-32602);
    }
    server.send(call(1, 'crew_status'));
    expect((await server.reply(1)).result).toHaveProperty('structuredContent');
  });

  it('may hold a line of twenty megabytes', async () => {
    await start().shakeHands();
    server.send(call(1, 'message_workers', { session_ids: ['ada'], message: 'x'.repeat(20_000_000) }));
    expect((await server.reply(1)).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('20000000 bytes') }],
    });
  });

  it('ends the server, after the calls that came before', async () => {
    await start().shakeHands();
    await opened();
    server.send(call(1, 'crew_status'));
    server.endInput();
    expect(await server.ended()).toMatchObject({ code: 0 });
    expect((await server.reply(1)).result).toHaveProperty('structuredContent');
    expect(stub.diary()).toContain('disposed');
  });

  it('ends the server even while a call waits for hours', async () => {
    await start().shakeHands();
    server.send(call(1, 'wait_idle_workers', { session_ids: ['ada'], timeout: 9_999 }));
    await eventually('the wait has begun', () => stub.diary().some((line) => line.startsWith('wait')));
    server.endInput();
    expect(await server.ended()).toMatchObject({ code: 0 });
    expect(stub.diary()).toEqual(expect.arrayContaining(['wait aborted', 'disposed']));
  });
});

describe('the end', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('comes with %s: disposed, exit code 0', async (signal) => {
    await start().shakeHands();
    await opened();
    server.child.kill(signal);
    expect(await server.ended()).toMatchObject({ code: 0, signal: null });
    expect(stub.diary()).toContain('disposed');
  });

  it('comes before a client, which gives two seconds, ends the server itself', () => {
    expect(graceMs).toBeLessThan(endMs);
    expect(endMs).toBeLessThanOrEqual(1_500);
  });

  it('does not wait for a crew that cannot let go', async () => {
    await start({ STUB_DISPOSE_MS: '3600000' }).shakeHands();
    await opened();
    server.child.kill('SIGTERM');
    expect(await server.ended()).toMatchObject({ code: 0 });
  });

  it('does not come with an uncaught error or a rejection nobody listens to', async () => {
    await start().shakeHands();
    await opened();
    server.child.kill('SIGUSR2');
    await eventually('the error is logged', () => server.stderr().includes('uncaught'));
    await eventually('the rejection is logged', () => server.stderr().includes('unhandled rejection'));
    server.send(call(1, 'crew_status'));
    expect((await server.reply(1)).result).toHaveProperty('structuredContent');
  });
});
