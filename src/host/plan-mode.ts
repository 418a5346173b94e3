/** A call that waits for the plan to be approved. */
export interface PlannedCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly title: string;
}

/** While it is active, calls that would act are queued in place of being run. */
export interface PlanMode {
  readonly isActive: boolean;
  readonly queue: readonly PlannedCall[];
  enter(): void;
  exit(): void;
  add(call: PlannedCall): void;
  clear(): void;
}
