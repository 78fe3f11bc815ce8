// Plain JavaScript for any Node from 20 on: installs what is missing, then runs the given script on the project's own Node,
// or, where that has none for this machine (some Macs), on the one at hand.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.tendon-installed')
const NODE_MIN = 24
const isWindows = process.platform === 'win32'
const ownNode = join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node')
const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')

const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
if (!isInstalled) {
  console.log('Installing packages (once; about a minute) …')
  // The lock file says which versions: what npm keeps of a package need not be asked for again.
  const npm = spawnSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: isWindows,
  })
  if (npm.status !== 0) {
    console.error('The packages could not be installed. Check the network, then run the same command again.')
    process.exit(1)
  }
  writeFileSync(stamp, lock)
}

const node = existsSync(ownNode) ? ownNode : process.execPath
if (node !== ownNode) {
  if (Number.parseInt(process.versions.node, 10) < NODE_MIN) {
    console.error(
      `The project's own Node could not be installed, and this is Node ${process.versions.node}. Delete node_modules and run the same command again, or install Node ${NODE_MIN} or newer.`,
    )
    process.exit(1)
  }
  if (!isInstalled) console.log(`The project's own Node could not be installed: Node ${process.versions.node} is used.`)
}

const [script, ...args] = process.argv.slice(2)
const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(root, script), ...args], {
  stdio: 'inherit',
  env: {
    // What Node compiles of the sources is kept: every process after the first starts in half the time.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    PATH: [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  },
})
// Ctrl-C reaches the child by itself (same terminal); a signal sent to this process alone must be handed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
