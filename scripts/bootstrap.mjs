// Plain JavaScript for any Node from 20 on: installs what is missing, then runs the given script on the project's own Node.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.tendon-installed')
const ownNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')

const installed = () => existsSync(ownNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lock

if (!installed()) {
  console.log('Installing packages (once; about a minute) …')
  // The lock file says which versions: what npm keeps of a package need not be asked for again.
  const npm = spawnSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0 || !existsSync(ownNode)) {
    console.error('The packages could not be installed. Check the network, then run the same command again.')
    process.exit(1)
  }
  writeFileSync(stamp, lock)
}

const [script, ...args] = process.argv.slice(2)
const child = spawn(ownNode, ['--disable-warning=ExperimentalWarning', join(root, script), ...args], {
  stdio: 'inherit',
  env: {
    // What Node compiles of the sources is kept: every process after the first starts in half the time.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    PATH: `${dirname(ownNode)}:${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`,
  },
})
// Ctrl-C reaches the child by itself (same terminal); a signal sent to this process alone must be handed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
