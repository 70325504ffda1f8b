import { invokedHandler } from '../../shared/invoked-function.ts';
import { filePorts } from '../../wiring/sandbox/sandbox.ts';
import { type FileToMake, type MadeFile, makeFile } from '../domain/files/make-file.ts';
import { toProblem } from '../http-errors.ts';

const ports = filePorts();

export const handler = invokedHandler<FileToMake, MadeFile>(toProblem, (file, { signal }) =>
  makeFile(file, signal, ports),
);
