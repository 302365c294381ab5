"""Gradient descent on a list of arrays, which are changed in place."""

import numpy as np


class Sgd:
    """Plain stochastic gradient descent."""

    def __init__(self, parameters, learning_rate=1e-2):
        self.parameters, self.learning_rate = parameters, learning_rate

    def step(self, grads):
        for value, grad in zip(self.parameters, grads):
            value -= self.learning_rate * grad


class Adam:
    """Kingma & Ba 2015, "Adam: a method for stochastic optimization", algorithm 1."""

    def __init__(self, parameters, learning_rate=1e-3, beta1=0.9, beta2=0.999, epsilon=1e-8):
        self.parameters, self.learning_rate = parameters, learning_rate
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.mean = [np.zeros_like(value) for value in parameters]
        self.square = [np.zeros_like(value) for value in parameters]
        self.count = 0

    def step(self, grads):
        self.count += 1
        rate = self.learning_rate / (1.0 - self.beta1**self.count)
        unbias = 1.0 - self.beta2**self.count
        for value, grad, mean, square in zip(self.parameters, grads, self.mean, self.square):
            mean += (1.0 - self.beta1) * (grad - mean)
            square += (1.0 - self.beta2) * (grad * grad - square)
            value -= rate * mean / (np.sqrt(square / unbias) + self.epsilon)


OPTIMIZERS = {"adam": Adam, "sgd": Sgd}
