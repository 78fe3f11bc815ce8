import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { findProgram } from '@tendon/testing'
import { createFfmpeg } from './ffmpeg.ts'
import { openSandbox } from './sandbox.ts'
import { ALLOW, DENIED, ENOSYS, EPERM, instructionsFor, KILL, NEW_NAMESPACES, systemCallFilter } from './seccomp.ts'

const [X64, ARM64, I386] = [0xc000_003e, 0xc000_00b7, 0x4000_0003]
const [LOAD, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06]
const ERRNO = { EPERM: 1, ENOSYS: 38 }
const FORK_SIGNAL = 17
const CLONE3 = 435

/** What the kernel does with the program and a system call. */
function verdict(arch: 'x64' | 'arm64', audited: number, number: number, argument = 0): number {
  const program = instructionsFor(arch)
  const words: Record<number, number> = { 0: number, 4: audited, 16: argument }
  let value = 0
  for (let at = 0; at < program.length; at += 1) {
    const [code, ifTrue, ifFalse, operand] = program[at] ?? assert.fail('it runs past its end')
    if (code === RETURN) return operand
    if (code === LOAD) {
      value = words[operand] ?? assert.fail(`nothing is at ${operand}`)
      continue
    }
    const holds =
      code === IF_EQUAL ? value === operand : code === IF_AT_LEAST ? value >= operand : (value & operand) !== 0
    assert.ok([IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT].includes(code))
    at += holds ? ifTrue : ifFalse
  }
  return assert.fail('it gives no verdict')
}

describe('the filter of system calls', () => {
  test('denies what a converter never needs, and nothing else, on both processors', () => {
    for (const [arch, audited] of [
      ['x64', X64],
      ['arm64', ARM64],
    ] as const) {
      for (const [name, numbers] of Object.entries(DENIED))
        assert.equal(verdict(arch, audited, numbers[arch]), EPERM, `${name} on ${arch}`)
      const denied = new Set(Object.values(DENIED).map((numbers) => numbers[arch]))
      assert.equal(denied.size, Object.keys(DENIED).length, 'a number is there twice')
      const allowed = Array.from({ length: 450 }, (_, number) => number).filter(
        (number) => verdict(arch, audited, number) === ALLOW,
      )
      assert.equal(allowed.length, 450 - denied.size - (arch === 'x64' ? 5 : 1))
      assert.equal(verdict(arch, audited, CLONE3), ENOSYS)
    }
  })

  test('the filter of system calls lets a process start threads and processes, but no namespace', () => {
    for (const [arch, audited, clone] of [
      ['x64', X64, 56],
      ['arm64', ARM64, 220],
    ] as const) {
      for (const flags of [FORK_SIGNAL, 0x003d_0f00]) assert.equal(verdict(arch, audited, clone, flags), ALLOW)
      for (let bit = 1; bit <= 0x4000_0000; bit *= 2)
        assert.equal(verdict(arch, audited, clone, bit), bit & NEW_NAMESPACES ? EPERM : ALLOW, bit.toString(16))
    }
  })

  test('kills a process that uses the system calls of another architecture', () => {
    for (const audited of [ARM64, I386]) assert.equal(verdict('x64', audited, 0), KILL)
    assert.equal(verdict('arm64', X64, 0), KILL)
    assert.equal(verdict('x64', X64, 0x4000_0000), KILL, 'x32')
    assert.equal(systemCallFilter('riscv64'), undefined)
    assert.equal(systemCallFilter('arm64')?.length, 8 * instructionsFor('arm64').length)
  })
})

const NO_PERL = findProgram('perl') === undefined && 'no perl on this machine'
const ARCH = process.arch === 'x64' ? 'x64' : 'arm64'

describe('a program in the sandbox', { skip: NO_PERL }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tendon-test-sandbox-'))
  after(() => rmSync(folder, { recursive: true }))
  const bounds = { args: [], reads: [], writes: folder, wallMs: 20_000, processorSeconds: 20 }

  /** Runs a script of perl as if it were ffmpeg. */
  async function inside(script: string): Promise<string> {
    const path = join(folder, 'script')
    writeFileSync(path, `#!${findProgram('perl')}\n${script}\n`)
    chmodSync(path, 0o755)
    return createFfmpeg(path).run(bounds)
  }
  const isFull = async () => (await openSandbox()).isolation === 'full'

  test('a program in the sandbox is refused every system call that the filter denies', async (t) => {
    if (!(await isFull())) return t.skip('user namespaces are forbidden here')
    const calls = Object.entries(DENIED).map(([name, numbers]) => `['${name}', ${numbers[ARCH]}]`)
    const script = `for my $one (${calls.join(', ')}) {
      my ($name, $number) = @$one; $! = 0;
      my $answer = syscall($number, 0, 0, 0, 0, 0); print "$name $answer ", $! + 0, "\\n" if $answer != -1 || $! != 1 }
      print "tried"`
    assert.equal(await inside(script), 'tried')
  })

  test('a program in the sandbox cannot create a namespace by clone or clone3, but can start a process', async (t) => {
    if (!(await isFull())) return t.skip('user namespaces are forbidden here')
    const clone = ARCH === 'x64' ? 56 : 220
    const script = `sub try { my ($number, @rest) = @_; $! = 0; my $answer = syscall($number, @rest); exit 0 if $answer == 0; print "$answer ", $! + 0, "; " }
      try(${clone}, 0x10000000 | ${FORK_SIGNAL}, 0, 0, 0, 0); try(${CLONE3}, 0, 0);
      my $child = fork(); exit 7 if $child == 0; waitpid($child, 0); print $? >> 8`
    assert.equal(await inside(script), `-1 ${ERRNO.EPERM}; -1 ${ERRNO.ENOSYS}; 7`)
  })

  test('a program in the sandbox has no capability, may gain none, and is filtered', async (t) => {
    if (!(await isFull())) return t.skip('user namespaces are forbidden here')
    // Without /proc in the sandbox: capget of version 3, prctl 39 (no new privileges) and 21 (seccomp).
    const [capget, prctl] = ARCH === 'x64' ? [125, 157] : [90, 167]
    const script = `my $head = pack('LL', 0x20080522, 0); my $caps = "\\xff" x 24; syscall(${capget}, $head, $caps);
      print unpack('H*', $caps), ' ', syscall(${prctl}, 39, 0, 0, 0, 0), ' ', syscall(${prctl}, 21, 0, 0, 0, 0)`
    assert.equal(await inside(script), `${'0'.repeat(48)} 1 2`)
  })

  test('a program in the sandbox says why it is weaker: not installed, forbidden, or a processor without a filter', async () => {
    const tools = join(folder, 'tools')
    const refusing = async (script: string) => {
      rmSync(tools, { recursive: true, force: true })
      writeTool(tools, 'bwrap', script)
      return openSandbox({ searchPath: tools })
    }
    assert.equal((await openSandbox({ searchPath: '/nowhere' })).isolation, 'not_installed')
    const forbidden = await refusing('echo "bwrap: No permissions to create new namespace" >&2; exit 1')
    assert.deepEqual(
      [forbidden.isolation, forbidden.complaint],
      ['forbidden', 'bwrap: No permissions to create new namespace'],
    )
    const root = await refusing('case "$*" in *--unshare-user*) exit 1;; esac; exit 0')
    assert.equal(root.isolation, 'without_user_namespace')
    const access = { reads: [], writes: folder, processorSeconds: 1 }
    const { command, input } = root.bound(['/bin/true'], access)
    assert.ok(command.includes('--seccomp') && !command.includes('--unshare-user') && input !== undefined)
    assert.deepEqual(forbidden.bound(['/bin/true'], access), { command: ['/bin/true'], input: undefined })
    const other = await openSandbox({ searchPath: tools, arch: 'riscv64' })
    assert.equal(other.isolation, 'unknown_processor')
  })
})

function writeTool(folder: string, name: string, script: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
}
