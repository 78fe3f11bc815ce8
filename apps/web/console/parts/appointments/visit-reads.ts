/** Reads that change when a visit is changed, for `refresh`. */
export const VISIT_READS = ['/v1/appointments', '/v1/availability']
