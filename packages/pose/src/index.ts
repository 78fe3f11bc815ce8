export * from './codec.ts'
export * from './codec-stream.ts'
