// A stdio MCP server with one tool that says what it is told.
import { createInterface } from 'node:readline';

const echo = {
  name: 'echo',
  description: 'Says what it is told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '0' },
  }),
  'tools/list': () => ({ tools: [echo] }),
  'tools/call': (params) => ({ content: [{ type: 'text', text: String(params.arguments?.text ?? '') }] }),
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const outcome =
    answer === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result: answer(params) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
});
