const waiting: (() => Promise<void>)[] = []

/** For what the test files of a process share: closed when the last of them has ended, what came last first. */
export function atEndOfProcess(close: () => Promise<void>): void {
  waiting.push(close)
}

export async function endOfProcess(): Promise<void> {
  for (const close of waiting.splice(0).reverse()) await close()
}
