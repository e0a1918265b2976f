// Ignores SIGTERM and has a child of its own that does too.
import { spawn } from 'node:child_process';

process.on('SIGTERM', () => undefined);
spawn('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 1; done'], { stdio: ['ignore', 'inherit', 'ignore'] });
setInterval(() => undefined, 1000);
