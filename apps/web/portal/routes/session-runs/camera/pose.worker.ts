import { installTrustedTypes } from '../../../../ui/trusted-types.ts'
import type { EnginePort } from './messages.ts'
import { startPoseEngine } from './pose-engine.ts'

// The model writes what it does to the error output; only problems belong there.
const output = globalThis.console
const report = output.error.bind(output)
output.error = (...words: unknown[]) => {
  if (!/^\s*(INFO:|[IW]\d{4})/.test(String(words[0]))) report(...words)
}

installTrustedTypes()
startPoseEngine(globalThis as unknown as EnginePort)
