/** An answer of DynamoDB that is an error: dynalite throws the same shape. */
export class DynamoDbError extends Error {
  readonly statusCode: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(type: string, message: string, extra: Record<string, unknown> = {}, statusCode = 400) {
    super(message);
    this.statusCode = statusCode;
    this.body = { __type: type, message, ...extra };
  }
}

export function validationException(message: string): DynamoDbError {
  return new DynamoDbError('com.amazon.coral.validate#ValidationException', message);
}

interface ServiceError extends Error {
  readonly statusCode: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** True for errors that are part of DynamoDB's contract; anything else is a fault of the emulator. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'statusCode' in error && 'body' in error;
}

/** The error's short name: `ConditionalCheckFailedException`. */
export function errorName(error: ServiceError): string {
  return String(error.body.__type).split('#').at(-1) ?? '';
}
