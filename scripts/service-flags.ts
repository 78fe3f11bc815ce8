/** How Node runs the services. What a request makes dies with its answer: with room for it, collecting costs half. */
export const SERVICE_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=64'] as const
