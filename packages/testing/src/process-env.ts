// `npm run test:hard` sets these for Node and what it starts: libfaketime shifts the clock by the seconds in FAKETIME.
const CLOCK = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC']

/** The environment of a process started by a test: the PATH, Node's compile cache and a shifted clock, nothing else. */
export const processEnv = (): Record<string, string> => settingsOf(['PATH', 'NODE_COMPILE_CACHE', ...CLOCK])

/** What a process needs that has an environment of its own, to have the same clock as this one. */
export const clockEnv = (): Record<string, string> => settingsOf(CLOCK)

function settingsOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
