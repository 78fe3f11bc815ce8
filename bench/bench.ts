import type { TestIssuer } from '@tendon/testing'

// What run.ts passes to each bench.

export interface BenchServer {
  port: number
  /** Processor time that its process has used. */
  cpuSeconds(): Promise<number>
  /** Memory that its process holds. */
  bytes(): Promise<number>
}

export interface BenchOptions {
  startServer(
    kind: 'core' | 'worker' | 'bare' | 'plain',
    payload: string,
    env: Record<string, string>,
  ): Promise<BenchServer>
  issuer: TestIssuer
  dataDir: string
  seconds: number
}
