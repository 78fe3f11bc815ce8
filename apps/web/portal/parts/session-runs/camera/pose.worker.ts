import { installTrustedTypes } from '#ui/trusted-types.ts'
import type { EnginePort } from './messages.ts'
import { startPoseEngine } from './pose-engine.ts'

declare const self: EnginePort

// The model logs its progress as errors; keep only real problems.
const output = globalThis.console
const report = output.error.bind(output)
output.error = (...words: unknown[]) => {
  if (!/^\s*(INFO:|[IW]\d{4})/.test(String(words[0]))) report(...words)
}

installTrustedTypes()
startPoseEngine(self)
