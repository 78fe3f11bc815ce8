const waiting: (() => Promise<void>)[] = []

/** Closes what the test files of a process share, in reverse order, after the last file. */
export function atEndOfProcess(close: () => Promise<void>): void {
  waiting.push(close)
}

export async function endOfProcess(): Promise<void> {
  for (const close of waiting.splice(0).reverse()) await close()
}
