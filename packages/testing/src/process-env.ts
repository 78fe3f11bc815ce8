/** The environment of a process started by a test: the PATH and Node's compile cache, nothing else. */
export const processEnv = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
