import type { Construct } from 'constructs';
import { OcrLayer } from '../constructs/ocr-layer.ts';
import { ServiceStack, type ServiceStackProps } from './service-stack.ts';

/** The MCP endpoint. */
export class McpStack extends ServiceStack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, 'mcp', props);
    // Workflows of applications read PDFs.
    this.serveRoutes({ ocrLayer: new OcrLayer(this, 'Ocr').layer });
  }
}
