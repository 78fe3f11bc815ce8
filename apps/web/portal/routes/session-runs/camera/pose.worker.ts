import { installTrustedTypes } from '../../../../ui/trusted-types.ts'
import type { EnginePort } from './messages.ts'
import { startPoseEngine } from './pose-engine.ts'

// The model writes what it does to the error output; only problems belong there.
const report = console.error.bind(console)
console.error = (...words: unknown[]) => {
  if (/^\s*(INFO:|[IW]\d{4})/.test(String(words[0]))) console.debug(...words)
  else report(...words)
}

installTrustedTypes()
startPoseEngine(globalThis as unknown as EnginePort)
