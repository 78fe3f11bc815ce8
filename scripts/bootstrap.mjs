// Plain JavaScript for Node 20 and newer: installs what is missing, then runs the given script on the project's own
// Node, or on the current one where there is no package for this machine (Macs).
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.tendon-installed')
const NODE_MIN = 24
const isWindows = process.platform === 'win32'
const ownPackage = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
const ownNode = join(root, 'node_modules', ownPackage, 'bin', isWindows ? 'node.exe' : 'node')
const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')

const isInstalled = existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
if (!isInstalled) {
  console.log('Installing packages (once; about a minute) …')
  // The lock file pins the versions: packages in npm's cache need no request.
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
// Checks and tests have settings of their own; everything else reads .env (see .env.example).
const envFile = join(root, '.env')
const readsEnvFile = existsSync(envFile) && !/(check|test|test-\w+|soak|generate)\.ts$/.test(script)
const settings = readsEnvFile ? [`--env-file=${envFile}`] : []
const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...settings, join(root, script), ...args], {
  stdio: 'inherit',
  env: {
    // Keep compiled code: every process after the first starts in half the time.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...process.env,
    PATH: [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  },
})
// Ctrl-C reaches the child directly (same terminal); forward signals sent only to this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
