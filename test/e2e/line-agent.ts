// A program that talks line by line and leaves no trace but its screen, as a configuration would describe one.
export const lineAgent = `
import os, sys, time
try:
    import readline
except ImportError:
    pass
note = open(os.environ['LINE_AGENT_NOTES'], 'a', buffering=1) if 'LINE_AGENT_NOTES' in os.environ else None
def tell(what):
    if note: note.write('%d %s\\n' % (time.time() * 1000, what))
print('line agent', *sys.argv[1:])
while True:
    try:
        line = input('you> ')
    except EOFError:
        break
    except KeyboardInterrupt:
        print()
        continue
    tell('begin')
    try:
        word, _, rest = line.partition(' ')
        if word == 'work':
            print('* working, ctrl-c stops it', end='', flush=True)
            time.sleep(float(rest))
            print('\\r\\x1b[Kworked for', rest)
        elif word == 'ponder':
            time.sleep(float(rest))
            print('pondered')
        elif word == 'tick':
            for i in range(int(rest)):
                print('tick', i, flush=True)
                time.sleep(0.2)
        elif word == 'ask':
            print('answered', input('Run this command? [y/n] '))
        elif word == 'write':
            open(rest, 'w').write('written')
            print('wrote', rest)
        elif word == 'die':
            sys.exit(7)
        else:
            print('heard', len(line), line[-20:])
    except KeyboardInterrupt:
        print('\\nstopped')
    tell('end')
`;
