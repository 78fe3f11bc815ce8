/** What a process that a test starts takes from ours: where programs are, and what Node has compiled. Nothing else. */
export const processEnv = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
