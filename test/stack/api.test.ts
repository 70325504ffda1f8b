import { beforeAll, describe, expect, it } from 'vitest';
import { socketWorkers } from '../../functions/chat/workers.ts';
import { routes } from '../../functions/routes.ts';
import { isOpenToPages } from '../../functions/shared/http/cors.ts';
import { pathsOf } from '../../functions/shared/http/route.ts';
import { openApiDocument } from '../../functions/system/openapi/openapi-document.ts';
import { router } from '../../gateway/routing.ts';
import { hasAlias } from '../../lib/canary.ts';
import { allOf, functionOf, resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

const CERTIFICATE = 'arn:aws:acm:ap-northeast-2:1:certificate/1';

let stack: Synthesized;
beforeAll(() => {
  stack = synthesize();
});

interface Definition {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly 'x-amazon-apigateway-gateway-responses': Readonly<Record<string, ShownResponse>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly 'x-amazon-apigateway-integration': Readonly<Record<string, unknown>>;
}

interface ShownResponse {
  readonly statusCode: number;
  readonly responseTemplates: Readonly<Record<string, string>>;
  readonly responseParameters: Readonly<Record<string, string>>;
}

/** The definition that API Gateway imports. */
function definitionOf({ template }: Synthesized): Definition {
  const [api] = Object.values(resourcesOf(template('api'), 'AWS::ApiGateway::RestApi'));
  return api!.Properties.Body as Definition;
}

/** `GET /api/v1/balance` → its integration, from the template. */
function methodsOf(
  synthesized: Synthesized,
): Map<string, { functionName: string; integration: Readonly<Record<string, unknown>> }> {
  return new Map(
    Object.entries(definitionOf(synthesized).paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const integration = operation['x-amazon-apigateway-integration'];
        const functionName = /:function:([\w-]+)/.exec(JSON.stringify(integration.uri))?.[1] ?? '';
        const declared = (operation.parameters ?? []).map(({ name }) => name);
        expect(declared, path).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
        return [`${method.toUpperCase()} ${path}`, { functionName, integration }] as const;
      }),
    ),
  );
}

interface PreflightAnswer {
  readonly responseParameters: Readonly<Record<string, string>>;
  readonly responseTemplates?: Readonly<Record<string, string>>;
}

const preflightOf = (integration: Readonly<Record<string, unknown>>): PreflightAnswer =>
  (integration.responses as { readonly default: PreflightAnswer }).default;

it('an answer to a message of a WebSocket is started once, and not late', () => {
  const settings = Object.values(resourcesOf(stack.template('chat'), 'AWS::Lambda::EventInvokeConfig'));
  expect(settings.map(({ Properties }) => Properties)).toMatchObject([
    { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
  ]);
});

describe('the API', () => {
  it('is the route table, and so are the OpenAPI document and the local gateway', () => {
    const table = routes.flatMap((route) => pathsOf(route).map((path) => `${route.method} ${path}`)).sort();
    expect(new Set(table).size).toBe(table.length);

    const served = [...methodsOf(stack).keys()].filter((method) => !method.startsWith('OPTIONS '));
    expect(served.sort()).toEqual(table);

    const { paths } = openApiDocument(routes, { version: '1', serverUrl: '/' });
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(table);

    const match = router(routes);
    for (const route of routes) {
      const found = match(route.method, route.path.replaceAll(/\{\w+\+?\}/g, 'x'));
      expect(found).toMatchObject({ kind: 'route', route: { id: route.id } });
    }
  });

  it('answers preflights of all pages where public access tokens chat, and else of none', () => {
    const asked = [...methodsOf(stack).keys()].filter((method) => method.startsWith('OPTIONS '));
    const open = routes.filter(isOpenToPages).flatMap(pathsOf);
    expect(asked.sort()).toEqual([...new Set(open)].map((path) => `OPTIONS ${path}`).sort());
    expect(open).toContain('/api/v1/chat/{application_id}/chat/completions');
    for (const method of asked) {
      const { responseParameters: headers } = preflightOf(methodsOf(stack).get(method)!.integration);
      expect(headers['method.response.header.Access-Control-Allow-Origin']).toBe("'*'");
      expect(headers).not.toHaveProperty('method.response.header.Access-Control-Allow-Credentials');
    }
  });

  it('answers the other preflights for the origins that are listed alone', () => {
    const listed = synthesize({ corsOrigins: 'https://app.example.com,http://localhost:5173' });
    const methods = methodsOf(listed);
    for (const { path, method } of routes.filter((route) => !isOpenToPages(route))) {
      const { integration } = methods.get(`OPTIONS ${path}`)!;
      const { responseParameters: headers, responseTemplates } = preflightOf(integration);
      expect(headers['method.response.header.Access-Control-Allow-Origin']).toBe("'https://app.example.com'");
      expect(headers['method.response.header.Access-Control-Allow-Methods']).toContain(method);
      expect(headers['method.response.header.Access-Control-Allow-Headers']).toBe("'authorization,*'");
      expect(headers).not.toHaveProperty('method.response.header.Access-Control-Allow-Credentials');
      expect(JSON.stringify(responseTemplates)).toContain('http://localhost:5173');
    }
    for (const route of routes)
      expect(functionOf(listed, route)?.environment.CORS_ORIGINS).toBe('https://app.example.com http://localhost:5173');
    expect(() => synthesize({ corsOrigins: 'https://app.example.com/' })).toThrow('corsOrigins');
    expect(() => synthesize({ corsOrigins: '*' })).toThrow('corsOrigins');
  });

  it('puts the function of each route behind its method', () => {
    const methods = methodsOf(stack);
    for (const route of routes) {
      const { id, method, path, limits, stream } = route;
      const { functionName, integration } = methods.get(`${method} ${path}`)!;
      const { part, properties } = functionOf(stack, route)!;
      expect(part, id).toBe(id.split('.')[0]);
      expect(properties, id).toMatchObject({
        Handler: 'index.handler',
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        MemorySize: limits.memoryMb,
        Timeout: limits.timeoutSeconds,
        FunctionName: functionName,
      });
      expect(integration.timeoutInMillis, id).toBeLessThanOrEqual(stream ? 900_000 : 29_000);
      expect(integration.responseTransferMode, id).toBe(stream ? 'STREAM' : undefined);
    }
    // Those of preflights have none.
    const names = [...methods.values()].map(({ functionName }) => functionName).filter((name) => name !== '');
    expect(new Set(names).size).toBe(routes.length);
  });

  it('may invoke the function of each route, for that method and path of its own alone', () => {
    const granted = [...stack.templates.values()].flatMap((template) => {
      const functions = resourcesOf(template, 'AWS::Lambda::Function');
      return Object.values(resourcesOf(template, 'AWS::Lambda::Permission')).flatMap(({ Properties }) => {
        if (Properties.Principal !== 'apigateway.amazonaws.com') return [];
        expect(Properties.Action).toBe('lambda:InvokeFunction');
        const target = JSON.stringify(Properties.FunctionName);
        const alias = /"Ref":"(\w+)"/.exec(target)?.[1];
        const aliased = alias && resourcesOf(template, 'AWS::Lambda::Alias')[alias];
        const of = JSON.stringify(aliased ? aliased.Properties.FunctionName : Properties.FunctionName);
        const id = /(?:"Fn::GetAtt":\[|"Ref":)"(\w+)"/.exec(of)?.[1];
        const name = id === undefined ? /:function:([\w-]+)/.exec(target)?.[1] : functions[id]!.Properties.FunctionName;
        // Of this stage, or of the API of sockets, whose routes start with $.
        const source = /(?:\/dev\/|\/)([A-Z]+\/[^"]*|\*\$\w+)"/.exec(JSON.stringify(Properties.SourceArn))?.[1];
        return [`${name}${aliased ? `:${aliased.Properties.Name}` : ''} ${source}`];
      });
    });
    const wanted = routes.flatMap((route) =>
      pathsOf(route).flatMap((path) => {
        const name = `tripod-dev-${route.id.replaceAll('.', '-')}`;
        const source = `${route.method}${path.replaceAll(/\{\w+\}/g, '*')}`;
        return [`${name} ${source}`, ...(hasAlias(route) ? [`${name}:live ${source}`] : [])];
      }),
    );
    const ofSockets = Object.entries(socketWorkers).map(
      ([event, { id }]) => `tripod-dev-${id.replaceAll('.', '-')} *${event}`,
    );
    expect(granted.sort()).toEqual([...wanted, ...ofSockets].sort());
  });

  it('is deployed after the functions, which it knows by name', () => {
    expect(stack.api.dependencies.map(({ stackName }) => stackName)).toEqual(
      expect.arrayContaining(stack.services.map(({ stackName }) => stackName)),
    );
  });

  it('streams the routes that say so', () => {
    const [first] = routes;
    const streaming = synthesize({}, [{ ...first!, stream: true, limits: { ...first!.limits, timeoutSeconds: 600 } }]);
    const [method] = methodsOf(streaming).values();
    expect(method!.integration).toMatchObject({
      ...{ responseTransferMode: 'STREAM', timeoutInMillis: 600_000 },
      uri: { 'Fn::Join': ['', expect.arrayContaining([expect.stringMatching(/response-streaming-invocations$/)])] },
    });
  });

  it('is regional, throttled, and traced nowhere', () => {
    stack.template('api').hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    const [stage] = Object.values(resourcesOf(stack.template('api'), 'AWS::ApiGateway::Stage'));
    expect(stage!.Properties).toMatchObject({
      StageName: 'dev',
      TracingEnabled: false,
      MethodSettings: [
        { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200, LoggingLevel: 'OFF', DataTraceEnabled: false },
      ],
    });
    for (const { Properties } of allOf(stack, 'AWS::Lambda::Function'))
      expect(Properties).not.toHaveProperty('TracingConfig');
  });

  it('logs every access, without query strings, headers or ids', () => {
    const [stage] = Object.values(resourcesOf(stack.template('api'), 'AWS::ApiGateway::Stage'));
    const { Format } = stage!.Properties.AccessLogSetting as { Format: string };
    const values = Object.values(JSON.parse(Format) as Record<string, string>);
    expect(values).toContain('$context.requestId');
    expect(values).toContain('$context.resourcePath');
    for (const value of values)
      expect(value).not.toMatch(/query|header|\$context\.path$|authorizer|identity\.apiKey|userAgent/i);
  });

  it("answers in the service's error envelope when no handler does", () => {
    const responses = definitionOf(stack)['x-amazon-apigateway-gateway-responses'];
    for (const [type, { statusCode, responseTemplates, responseParameters }] of Object.entries(responses)) {
      const body = JSON.parse(responseTemplates['application/json']!);
      expect(body, type).toMatchObject({
        ...{ data: null, status: 'error', code: statusCode },
        error: { message: body.message, requestId: '$context.requestId' },
      });
      expect(responseParameters).toMatchObject({ 'gatewayresponse.header.x-request-id': 'context.requestId' });
    }
    expect(responses).toMatchObject({
      MISSING_AUTHENTICATION_TOKEN: { statusCode: 404 },
      THROTTLED: { statusCode: 429, responseParameters: { 'gatewayresponse.header.retry-after': "'1'" } },
      REQUEST_TOO_LARGE: { statusCode: 413 },
      DEFAULT_4XX: {},
      DEFAULT_5XX: {},
    });
    expect(JSON.stringify(responses.REQUEST_TOO_LARGE)).toContain('POST /api/v1/uploads');
  });

  it('is deployed anew whenever what it imports has changed', () => {
    const idOf = (synthesized: Synthesized) =>
      Object.keys(resourcesOf(synthesized.template('api'), 'AWS::ApiGateway::Deployment'));
    expect(idOf(stack)).toHaveLength(1);
    expect(idOf(synthesize({}, routes.slice(1)))).not.toEqual(idOf(stack));
  });

  it('has no address but its own name where it has one', () => {
    const closed = { DisableExecuteApiEndpoint: true };
    const named = synthesize({
      ...{ domainName: 'api.example.com', certificateArn: CERTIFICATE },
      ...{ socketDomainName: 'sockets.example.com', socketCertificateArn: CERTIFICATE },
    });
    named.template('api').hasResourceProperties('AWS::ApiGateway::RestApi', closed);
    named.template('api').hasResourceProperties('AWS::ApiGatewayV2::Api', closed);
    named.template('api').hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', { Stage: 'dev' });
    named.template('api').hasOutput('SocketUrl', { Value: 'wss://sockets.example.com' });
    for (const id of ['chat.receive-message', 'chat.answer-message'] as const)
      expect(functionOf(named, { id })!.environment.SOCKETS_ENDPOINT).toBe('https://sockets.example.com');
    expect(functionOf(stack, { id: 'chat.receive-message' })!.environment).not.toHaveProperty('SOCKETS_ENDPOINT');
    for (const type of ['AWS::ApiGateway::RestApi', 'AWS::ApiGatewayV2::Api'])
      for (const { Properties } of Object.values(resourcesOf(stack.template('api'), type)))
        expect(Properties.DisableExecuteApiEndpoint ?? false).toBe(false);
    expect(() => synthesize({ socketDomainName: 'sockets.example.com' })).toThrow(/give both or neither/);
  });
});

describe('the API of WebSockets', () => {
  it('has a function for each event of a connection, and logs no query, which holds a token', () => {
    const api = stack.template('api');
    const keys = Object.values(resourcesOf(api, 'AWS::ApiGatewayV2::Route')).map(
      ({ Properties }) => Properties.RouteKey,
    );
    expect(keys.sort()).toEqual(['$connect', '$default', '$disconnect']);
    const [stage] = Object.values(resourcesOf(api, 'AWS::ApiGatewayV2::Stage'));
    const { AccessLogSettings, DefaultRouteSettings } = stage!.Properties as Record<string, object>;
    expect(JSON.stringify(AccessLogSettings)).not.toMatch(/query|requestOverride|authorizer/i);
    expect(DefaultRouteSettings).toMatchObject({ ThrottlingRateLimit: expect.any(Number) });
    api.hasOutput('SocketUrl', {});
  });
});
