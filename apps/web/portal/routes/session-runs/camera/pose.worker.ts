import { installTrustedTypes } from '../../../../ui/trusted-types.ts'
import type { EnginePort } from './messages.ts'
import { startPoseEngine } from './pose-engine.ts'

installTrustedTypes()
startPoseEngine(globalThis as unknown as EnginePort)
